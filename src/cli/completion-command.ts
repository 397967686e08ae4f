// `latchkey completion <shell>`: prints a completion script generated from the commands themselves.
import { Argument, Command, type Option } from 'commander';
import { t } from '../words/translate.ts';
import { type End, inWords } from './account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './terminal/exit-status.ts';
import type { Terminal } from './terminal/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command as completion sees it. */
interface Completable {
  readonly name: string;
  readonly summary: string;
  /** Whether its own argument is a file. */
  readonly takesFile: boolean;
  readonly options: readonly CompletableOption[];
  /** Possible first arguments. */
  readonly subcommands: readonly {
    readonly name: string;
    readonly summary: string;
    readonly takesFile: boolean;
  }[];
}

interface CompletableOption {
  readonly flag: string;
  readonly summary: string;
  /** What follows it. */
  readonly value: 'nothing' | 'words' | 'file' | 'folder';
}

const PLACES = `
  bash  latchkey completion bash > ~/.local/share/bash-completion/completions/latchkey
  zsh   latchkey completion zsh > "\${fpath[1]}/_latchkey"
  fish  latchkey completion fish > ~/.config/fish/completions/latchkey.fish`;

/** `program`: the whole command line, once it is complete. */
export function completionCommand(terminal: Terminal, program: () => Command, end: End): Command {
  return new Command('completion')
    .description(t('print a completion script for a shell'))
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', `\n${t('Where to put it:')}${PLACES}`)
    .action(async (shell: Shell) => {
      const print = async (): Promise<ExitStatus> => {
        terminal.print(completionScript(shell, completables(program())));
        return Promise.resolve(EXIT_STATUS.ok);
      };
      end(await inWords(terminal, {}, print));
    });
}

function completables(program: Command): readonly Completable[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    takesFile: isOfFile(command),
    options: optionsOf(command),
    subcommands: command.commands.map((sub) => ({
      name: sub.name(),
      summary: sub.description(),
      takesFile: isOfFile(sub),
    })),
  }));
}

function isOfFile(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.name() === 'file');
}

/** Options of the command and its subcommands, without duplicates. */
function optionsOf(command: Command): Completable['options'] {
  const options = [command, ...command.commands].flatMap((each) => each.options);
  const known = new Map(
    options.map((option) => [
      option.long ?? '',
      { flag: option.long ?? '', summary: option.description, value: valueOf(option) },
    ]),
  );
  return [...known.values()];
}

/** The usage names what follows: "--export <file>". */
function valueOf({ flags, required, optional }: Option): CompletableOption['value'] {
  const [, named] = /<(file|folder)>/u.exec(flags) ?? [];
  if (named === 'file' || named === 'folder') {
    return named;
  }
  return required || optional ? 'words' : 'nothing';
}

function completionScript(shell: Shell, commands: readonly Completable[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

function bashScript(commands: readonly Completable[]): string {
  const cases = commands.map(
    ({ name, options, subcommands }) =>
      `    ${name}) words="${[...subcommands.map((sub) => sub.name), ...options.map(({ flag }) => flag)].join(' ')}" ;;`,
  );
  return [
    '# Completion of latchkey for bash.',
    '_latchkey() {',
    '  local words current="${COMP_WORDS[COMP_CWORD]}"',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(({ name }) => name).join(' ')}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _latchkey latchkey',
    '',
  ].join('\n');
}

/** What zsh completes after an option; a single space completes nothing. */
const ZSH_VALUES: Readonly<Record<CompletableOption['value'], string>> = {
  nothing: '',
  words: ':value: ',
  file: ':file:_files',
  folder: ':folder:_files -/',
};

function zshScript(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, options, subcommands, takesFile }) => {
    const specs = options.map(({ flag, summary, value }) =>
      quoted(`${flag}[${bare(summary)}]${ZSH_VALUES[value]}`),
    );
    const first =
      subcommands.length === 0 ? [] : [quoted(`2:what:(${subcommands.map((sub) => sub.name).join(' ')})`)];
    const withFile = subcommands.filter((sub) => sub.takesFile).map((sub) => sub.name);
    const files = "rest='*:file:_files'; ";
    const rest = withFile.length === 0 ? '' : `[[ "$words[3]" == (${withFile.join('|')}) ]] && ${files}`;
    return `    ${name}) ${takesFile ? files : rest}_arguments ${[...specs, ...first].join(' ')} "$rest" ;;`;
  });
  return [
    '#compdef latchkey',
    '_latchkey() {',
    '  local -a commands',
    "  local rest='*:name: '",
    `  commands=(${commands.map(({ name, summary }) => quoted(`${name}:${bare(summary)}`)).join(' ')})`,
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  case "$words[2]" in',
    ...cases,
    '  esac',
    '}',
    '_latchkey "$@"',
    '',
  ].join('\n');
}

/** What fish completes after an option. */
const FISH_VALUES: Readonly<Record<CompletableOption['value'], string>> = {
  nothing: '',
  words: ' -x',
  file: ' -r -F',
  folder: ` -x -a "(__fish_complete_directories)"`,
};

function fishScript(commands: readonly Completable[]): string {
  return [
    '# Completion of latchkey for fish.',
    'complete -c latchkey -f',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c latchkey -n __fish_use_subcommand -a ${name} -d ${quoted(bare(summary))}`,
    ),
    ...commands.flatMap(({ name, subcommands }) =>
      subcommands.map(
        (sub) =>
          `complete -c latchkey -n '__fish_seen_subcommand_from ${name}' -a ${sub.name} -d ${quoted(bare(sub.summary))}`,
      ),
    ),
    ...commands.flatMap(({ name, subcommands }) =>
      subcommands
        .filter((sub) => sub.takesFile)
        .map(
          (sub) =>
            `complete -c latchkey -n '__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${sub.name}' -F`,
        ),
    ),
    ...commands
      .filter((command) => command.takesFile)
      .map(({ name }) => `complete -c latchkey -n '__fish_seen_subcommand_from ${name}' -F`),
    ...commands.flatMap(({ name, options }) =>
      options.map(
        ({ flag, summary, value }) =>
          `complete -c latchkey -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${FISH_VALUES[value]} -d ${quoted(bare(summary))}`,
      ),
    ),
    '',
  ].join('\n');
}

/** Removes characters with a meaning to a shell or its completion. */
function bare(text: string): string {
  return text.replaceAll(/[^\w ,.;()-]/gu, ' ');
}

function quoted(text: string): string {
  return `'${text}'`;
}
