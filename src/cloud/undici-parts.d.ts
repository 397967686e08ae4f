// The modules of undici that we use. Its index would load everything else as well: mock agents, caches, WebSockets, 13 MB
// of memory in all. It is the index, too, that gives clients their `request` and `stream`: here they can dispatch alone.
// The version is pinned.
declare module 'undici/lib/core/connect.js' {
  import type { buildConnector as Whole } from 'undici';

  /** What opens a connection returns it at once, open or not. */
  const buildConnector: (
    options: Whole.BuildOptions,
  ) => (target: Whole.Options, callback: Whole.Callback) => NonNullable<Parameters<Whole.Callback>[1]>;
  export default buildConnector;
}
declare module 'undici/lib/core/symbols.js' {
  const kConnect: unique symbol;
  /** `kConnect` opens the connection of a client before anything is to be sent. */
  const symbols: { readonly kConnect: typeof kConnect };
  export default symbols;
}
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client as Whole } from 'undici';
  import type symbols from 'undici/lib/core/symbols.js';

  type Client = Omit<Whole, 'request' | 'stream' | 'pipeline' | 'connect' | 'upgrade'> & {
    /** `connected` hears of the first connection only; of a failure nobody does until something is to be sent. */
    [symbols.kConnect](connected: () => void): void;
  };
  const Client: new (...parts: ConstructorParameters<typeof Whole>) => Client;
  export default Client;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool as Whole } from 'undici';

  type Pool = Omit<Whole, 'request' | 'stream' | 'pipeline' | 'connect' | 'upgrade'>;
  const Pool: new (...parts: ConstructorParameters<typeof Whole>) => Pool;
  export default Pool;
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  const request: (
    this: Pick<Dispatcher, 'dispatch'>,
    options: Dispatcher.RequestOptions,
  ) => Promise<Dispatcher.ResponseData>;
  export default request;
}
