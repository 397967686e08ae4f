// `latchkey completion <shell>`: prints a completion script generated from the commands themselves.
import { Argument, Command, type Option } from 'commander';
import { t } from '../words/translate.ts';
import { type End, inWords } from './account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './terminal/exit-status.ts';
import type { Terminal } from './terminal/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What follows an option or a command: one of known values, words that nobody knows beforehand, a file, a folder. */
type Value = readonly string[] | 'nothing' | 'words' | 'file' | 'folder';

/** A command as completion sees it; the program itself is the first. */
interface Completable {
  /** Such as `/codes/add`; empty for the program. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly flag: string; readonly summary: string; readonly value: Value }[];
  /** What stands behind the command's name, apart from a subcommand. */
  readonly argument: Value;
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
        terminal.print(
          { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](completables(program())),
        );
        return Promise.resolve(EXIT_STATUS.ok);
      };
      end(await inWords(terminal, {}, print));
    });
}

function completables(command: Command, path = ''): readonly Completable[] {
  const own: Completable = {
    path,
    subcommands: command.commands.map((sub) => ({ name: sub.name(), summary: sub.description() })),
    options: command.options.map((option) => ({
      flag: option.long ?? '',
      summary: option.description,
      value: valueOf(option),
    })),
    argument: argumentOf(command),
  };
  return [own, ...command.commands.flatMap((sub) => completables(sub, `${path}/${sub.name()}`))];
}

function argumentOf({ registeredArguments }: Command): Value {
  const choices = registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  if (choices.length > 0) {
    return choices;
  }
  return registeredArguments.some((argument) => argument.name() === 'file') ? 'file' : 'words';
}

/** The usage names what follows: "--export <file>". */
function valueOf({ flags, required, optional, argChoices }: Option): Value {
  if (argChoices !== undefined) {
    return argChoices;
  }
  const [, named] = /<(file|folder)>/u.exec(flags) ?? [];
  if (named === 'file' || named === 'folder') {
    return named;
  }
  return required || optional ? 'words' : 'nothing';
}

/** The paths of all commands below the program, as patterns of a shell's `case`. */
function patterns(commands: readonly Completable[]): string {
  return commands.flatMap(({ path }) => (path === '' ? [] : [path])).join('|');
}

function bashScript(commands: readonly Completable[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) =>
      value === 'nothing'
        ? []
        : [`    '${path} ${flag}') words='${typeof value === 'string' ? '' : value.join(' ')}' ;;`],
    ),
  );
  const own = commands.map(({ path, subcommands, options, argument }) => {
    const words = [
      ...subcommands.map(({ name }) => name),
      ...(typeof argument === 'string' ? [] : argument),
      ...options.map(({ flag }) => flag),
    ];
    return `    '${path} '*) words='${words.join(' ')}' ;;`;
  });
  return [
    '# Completion of latchkey for bash.',
    '_latchkey() {',
    '  local at= word words= current="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD - 1]}"',
    '  # "--option=value" comes as three words.',
    '  [ "$current" = "=" ] && current=',
    '  [ "$last" = "=" ] && last="${COMP_WORDS[COMP_CWORD - 2]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case "$at/$word" in ${patterns(commands)}) at="$at/$word" ;; esac`,
    '  done',
    '  case "$at $last" in',
    ...values,
    ...own,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _latchkey latchkey',
    '',
  ].join('\n');
}

/** What zsh completes after an option or a command; a single space completes nothing. */
function zshValue(value: Value): string {
  return typeof value === 'string'
    ? { nothing: '', words: ':value: ', file: ':file:_files', folder: ':folder:_files -/' }[value]
    : `:value:(${value.join(' ')})`;
}

function zshScript(commands: readonly Completable[]): string {
  const cases = commands.map(({ path, subcommands, options, argument }) => {
    const described = subcommands.map(
      ({ name, summary }) => `${name}\\:${bare(summary).replaceAll(/[ ()]/gu, '\\$&')}`,
    );
    const specs = [
      ...options.map(({ flag, summary, value }) => `${flag}[${bare(summary)}]${zshValue(value)}`),
      ...(subcommands.length === 0 ? [] : [`1:command:((${described.join(' ')}))`]),
      `*${zshValue(argument)}`,
    ];
    return `    '${path}') _arguments ${specs.map(quoted).join(' ')} ;;`;
  });
  return [
    '#compdef latchkey',
    '_latchkey() {',
    "  local at='' position",
    '  local -i begin=1',
    '  for (( position = 2; position < CURRENT; position++ )); do',
    `    case "$at/$words[position]" in ${patterns(commands)}) at="$at/$words[position]"; begin=position ;; esac`,
    '  done',
    '  words=("${(@)words[begin,-1]}")',
    '  (( CURRENT -= begin - 1 ))',
    '  case "$at" in',
    ...cases,
    '  esac',
    '}',
    '_latchkey "$@"',
    '',
  ].join('\n');
}

/** What fish completes after an option. */
function fishValue(value: Value): string {
  return typeof value === 'string'
    ? {
        nothing: '',
        words: ' -x',
        file: ' -r -F',
        folder: ` -x -a "(__fish_complete_directories)"`,
      }[value]
    : ` -x -a '${value.join(' ')}'`;
}

function fishScript(commands: readonly Completable[]): string {
  const described = (summary: string): string => `-d ${quoted(bare(summary))}`;
  const lines = commands.flatMap(({ path, subcommands, options, argument }) => {
    const complete = (rest: string): string => `complete -c latchkey -n '__latchkey_at "${path}"' ${rest}`;
    return [
      ...subcommands.map(({ name, summary }) => complete(`-a ${name} ${described(summary)}`)),
      ...(argument === 'file' ? [complete('-F')] : []),
      ...(typeof argument === 'string' ? [] : [complete(`-a '${argument.join(' ')}'`)]),
      ...options.map(({ flag, summary, value }) =>
        complete(`-l ${flag.slice(2)}${fishValue(value)} ${described(summary)}`),
      ),
    ];
  });
  return [
    '# Completion of latchkey for fish.',
    'function __latchkey_at',
    "  set -l at ''",
    '  for word in (commandline -opc)[2..]',
    `    contains -- "$at/$word" ${patterns(commands).replaceAll('|', ' ')}; and set at "$at/$word"`,
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    'complete -c latchkey -f',
    ...lines,
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
