// `latchkey doctor` and `latchkey diagnostics`: findings with advice, and facts to attach to a support request.
import { Command } from 'commander';
import { type Message, message } from '../../domain/language/message.ts';
import { inServiceWords } from '../../words/host.ts';
import { t } from '../../words/translate.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  inWords,
  withCommonOptions,
} from '../account/account-command.ts';
import { findInstallation } from '../account/homebridge-config.ts';
import { verbs } from '../account/verb.ts';
import { EXIT_STATUS, type ExitStatus, worst } from '../terminal/exit-status.ts';
import { jsonText } from '../terminal/json-text.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { examine } from './examination.ts';
import { featureFindings } from './feature-findings.ts';
import { checkWidth, type Finding, type Grade } from './finding.ts';

const MARKS: Readonly<Record<Grade, Message>> = {
  ok: message('ok'),
  note: message('note'),
  warning: message('warn'),
  fault: message('FAULT'),
};

const STATUSES: Readonly<Record<Grade, ExitStatus>> = {
  ok: EXIT_STATUS.ok,
  note: EXIT_STATUS.ok,
  warning: EXIT_STATUS.warned,
  fault: EXIT_STATUS.broken,
};

export function doctorCommands(terminal: Terminal, end: End): readonly Command[] {
  return [doctorCommand(terminal, end), diagnosticsCommand(terminal, end)];
}

function doctorCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('doctor'))
    .description(t('look at everything that can be wrong, and say what to do'))
    .addHelpText(
      'after',
      `\n${t('Ends with 0 when all is well, 10 when something should be looked at, 11 when something is broken.')}`,
    )
    .action(async (flags: CommonFlags) =>
      end(await inWords(terminal, flags, async (output) => doctor(terminal, flags, output))),
    );
}

function diagnosticsCommand(terminal: Terminal, end: End): Command {
  const description = t('print facts for somebody who helps, as JSON without names, addresses and secrets');
  return verbs(terminal, end)('diagnostics', description, [], diagnose);
}

async function doctor(terminal: Terminal, flags: CommonFlags, output: Output): Promise<ExitStatus> {
  const grades: Grade[] = [];
  const findings: Finding[] = [];
  const { isService } = await findInstallation(flags, terminal).catch(() => ({ isService: false }));
  await examine(flags, terminal, (found) => {
    const finding = isService ? spokenForService(found) : found;
    grades.push(finding.grade);
    if (flags.quiet === true && STATUSES[finding.grade] === EXIT_STATUS.ok) {
      return;
    }
    findings.push(finding);
    if (!output.json) {
      output.answer(finding, [lineOf(finding)]);
    }
  });
  if (output.json) {
    output.answer(findings, []);
  }
  return worst(grades.map((grade) => STATUSES[grade]));
}

function spokenForService({ what, advice, ...rest }: Finding): Finding {
  return { ...rest, what: inServiceWords(what), advice: advice === null ? null : inServiceWords(advice) };
}

function lineOf({ check, grade, what, advice }: Finding): string {
  const markWidth = Math.max(...Object.values(MARKS).map((mark) => t(mark).length));
  const width = checkWidth(featureFindings.all.flatMap(({ checks }) => checks));
  const head = `${t(MARKS[grade]).padEnd(markWidth)}  ${check.padEnd(width)}`;
  return `${head}  ${what}${advice === null ? '' : ` ${advice}`}`;
}

async function diagnose({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const facts = { through: tool.through, ...(await tool.call('diagnostics')) };
  output.answer(facts, jsonText(facts, 2).split('\n'));
  return EXIT_STATUS.ok;
}
