// Node's HTTP, without the client behind `fetch` that an `import` of `node:http` loads as well.
//
// That module exports names of the client. It takes 5 MB in a process that never calls `fetch`.

export const { createServer, request } = process.getBuiltinModule('node:http');
