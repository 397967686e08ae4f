// Completion of the commands of phone credentials, one of which has commands of its own.
import { completesInShells } from '../../cli/shells.ts';

completesInShells(
  [
    ['credentials no-tour ', ['save', 'delete'], []],
    ['credentials no-tour save --', ['--lock'], ['--bits']],
    ['credentials export --format ', ['csv', 'jsonl'], []],
  ],
  [
    ['credentials import', true],
    ['credentials import --results', true],
  ],
);
