// Ten thousand random sequences each: judged by how they end, by what Home shows on the way, and before lists that are late.
process.env['SEQUENCES'] ??= '10000';

await import('../component/sync/random-sequences.property.test.ts');
await import('../component/sync/true-bolt.property.test.ts');
await import('../component/sync/late-lists.property.test.ts');
await import('../component/sync/time.test.ts');
