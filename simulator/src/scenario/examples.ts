// The scenarios that come with the package, by the name that `--scenario` takes; read one to write your own.
import demo from './examples/demo.json' with { type: 'json' };
import jamOnSecondCommand from './examples/jam-on-second-command.json' with { type: 'json' };
import unlinkedOvernight from './examples/unlinked-overnight.json' with { type: 'json' };
import weakWifi from './examples/weak-wifi.json' with { type: 'json' };

/** Unchecked: examples are read like a person's own file. */
export const EXAMPLES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['demo', demo],
  ['jam-on-second-command', jamOnSecondCommand],
  ['unlinked-overnight', unlinkedOvernight],
  ['weak-wifi', weakWifi],
]);
