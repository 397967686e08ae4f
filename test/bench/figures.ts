// The output of the bench: a figure with its goal, for programs as JSON and for people as a table.

/** Samples in one unit, summed up; `n` counts them. */
export interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly n: number;
}

/** One line of the bench. `limit` and `ratio` are null where the limit does nothing that could be compared. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: Summary;
  readonly limit: Summary | null;
  /** Ours to the limit's; null, too, where the limit's is zero. */
  readonly ratio: { readonly p50: number; readonly p99: number } | null;
  /** The goal in words, with its numbers. */
  readonly goal: string;
  readonly met: boolean;
}

/** The value below which this share of the samples lies (nearest rank). Not a number without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((left, right) => left - right);
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? Number.NaN;
}

export function summary(samples: readonly number[]): Summary {
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99), n: samples.length };
}

/** Samples of both contestants, taken in turns. */
export interface Pairwise {
  readonly ours: readonly number[];
  readonly limit: readonly number[];
}

export function compared(
  words: { readonly name: string; readonly unit: string; readonly goal: string },
  samples: Pairwise,
  isMet: (ours: Summary, limit: Summary) => boolean,
): Figure {
  const ours = summary(samples.ours);
  const limit = summary(samples.limit);
  const comparable = limit.p50 > 0 && limit.p99 > 0;
  const ratio = comparable ? { p50: ours.p50 / limit.p50, p99: ours.p99 / limit.p99 } : null;
  return { ...words, ours, limit, ratio, met: isMet(ours, limit) };
}

/** Meets a bound that the limit itself may miss on a busy machine: then as fast as the limit is fast enough. */
export function within(mostMs: number, ours: Summary, limit: Summary): boolean {
  return ours.p99 <= Math.max(mostMs, limit.p99);
}

export function alone(
  words: { readonly name: string; readonly unit: string; readonly goal: string },
  samples: readonly number[],
  met: boolean,
): Figure {
  return { ...words, ours: summary(samples), limit: null, ratio: null, met };
}

/** What must not happen, and how often it did. */
export function none(name: string, unit: string, count: number): Figure {
  return alone({ name, unit, goal: '0' }, [count], count === 0);
}

const COLUMNS = [
  '',
  'figure',
  'unit',
  'ours p50',
  'p99',
  'n',
  'limit p50',
  'p99',
  'ratio p50',
  'p99',
  'goal',
];
const LEFT_ALIGNED = new Set(['', 'figure', 'unit', 'goal']);

/** The figures as a table of plain text; missed goals are marked in the first column. */
export function table(figures: readonly Figure[]): string {
  const rows = [COLUMNS, ...figures.map((figure) => cells(figure))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return LEFT_ALIGNED.has(COLUMNS[column] ?? '') ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells({ name, unit, ours, limit, ratio, goal, met }: Figure): string[] {
  return [
    met ? 'met' : 'NOT MET',
    name,
    unit,
    short(ours.p50),
    short(ours.p99),
    String(ours.n),
    limit === null ? '-' : short(limit.p50),
    limit === null ? '-' : short(limit.p99),
    ratio === null ? '-' : short(ratio.p50),
    ratio === null ? '-' : short(ratio.p99),
    goal,
  ];
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 0);
}
