// The three modules of undici that we use, typed as its index has them. The index would load everything else as well:
// mock agents, caches, WebSockets, 13 MB of memory in all. The version is pinned, and a path that goes is a failing build.
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
