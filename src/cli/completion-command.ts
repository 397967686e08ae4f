// `latchkey completion <shell>`: prints a completion script generated from the commands themselves.
import { Argument, Command, type Option } from 'commander';
import { t } from '../words/translate.ts';
import { type End, inWords } from './account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './terminal/exit-status.ts';
import type { Terminal } from './terminal/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

type Completable = ReturnType<typeof completable>;

/** What follows an option. */
type Value = 'nothing' | 'words' | 'file' | 'folder';

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

function completables(program: Command): readonly Completable[] {
  return program.commands.map(completable);
}

/** A command as completion sees it, with the options of its subcommands among its own. */
function completable(command: Command) {
  const options = [command, ...command.commands].flatMap((each) => each.options);
  return {
    ...summaryOf(command),
    options: [...new Map(options.map((option) => [option.long, option])).values()].map((option) => ({
      flag: option.long ?? '',
      summary: option.description,
      value: valueOf(option),
    })),
    subcommands: command.commands.map(summaryOf),
  };
}

/** `takesFile`: its own argument is a file. */
function summaryOf(command: Command) {
  const takesFile = command.registeredArguments.some((argument) => argument.name() === 'file');
  return { name: command.name(), summary: command.description(), takesFile };
}

/** The usage names what follows: "--export <file>". */
function valueOf({ flags, required, optional }: Option): Value {
  const [, named] = /<(file|folder)>/u.exec(flags) ?? [];
  if (named === 'file' || named === 'folder') {
    return named;
  }
  return required || optional ? 'words' : 'nothing';
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
const ZSH_VALUES: Readonly<Record<Value, string>> = {
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
const FISH_VALUES: Readonly<Record<Value, string>> = {
  nothing: '',
  words: ' -x',
  file: ' -r -F',
  folder: ` -x -a "(__fish_complete_directories)"`,
};

function fishScript(commands: readonly Completable[]): string {
  const complete = (condition: string, rest: string): string =>
    `complete -c latchkey -n ${condition} ${rest}`;
  const after = (...names: readonly string[]): string =>
    `'${names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')}'`;
  const described = (summary: string): string => `-d ${quoted(bare(summary))}`;
  return [
    '# Completion of latchkey for fish.',
    'complete -c latchkey -f',
    ...commands.flatMap(({ name, summary, takesFile, options, subcommands }) => [
      complete('__fish_use_subcommand', `-a ${name} ${described(summary)}`),
      ...subcommands.map((sub) => complete(after(name), `-a ${sub.name} ${described(sub.summary)}`)),
      ...subcommands.filter((sub) => sub.takesFile).map((sub) => complete(after(name, sub.name), '-F')),
      ...(takesFile ? [complete(after(name), '-F')] : []),
      ...options.map((option) =>
        complete(
          after(name),
          `-l ${option.flag.slice(2)}${FISH_VALUES[option.value]} ${described(option.summary)}`,
        ),
      ),
    ]),
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
