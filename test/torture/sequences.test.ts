// Ten thousand random sequences each: judged by how they end, by what Home shows on the way, and before lists that are late.
process.env['SEQUENCES'] ??= '10000';

await import('../component/engine/random-sequences.property.test.ts');
await import('../component/engine/true-bolt.property.test.ts');
await import('../component/engine/late-lists.property.test.ts');
await import('../component/engine/time.test.ts');
