// Ten thousand random sequences each: one judged by how it ends, one by what Home shows on the way.
process.env['SEQUENCES'] ??= '10000';

await import('../component/sync/random-sequences.property.test.ts');
await import('../component/sync/true-bolt.property.test.ts');
