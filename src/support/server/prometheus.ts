// Writes figures in the text format of Prometheus, version 0.0.4.

/** One figure with its samples. `labels` must name no person, lock or home: anyone with the address can read them. */
export interface Metric {
  /** Letters, digits and underscores; a counter's ends with `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** The suffix of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text of all figures; a figure without samples is left out. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map((sample) => lineOf(name, sample));
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
    })
    .join('');
}

export function single(name: string, type: 'counter' | 'gauge', help: string, value: number | null): Metric {
  return { name, type, help, samples: value === null ? [] : [{ value }] };
}

export function byLabel(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Metric {
  const samples = Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }));
  return { name, type, help, samples };
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** `bounds`: upper ends in seconds, rising. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.#sum += seconds;
    this.#count += 1;
    const index = this.#bounds.findIndex((bound) => seconds <= bound);
    if (index !== -1) {
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    }
  }

  metric(name: string, help: string): Metric {
    let cumulated = 0;
    const buckets = this.#bounds.map((bound, index): Sample => {
      cumulated += this.#counts[index] ?? 0;
      return { suffix: '_bucket', labels: { le: String(bound) }, value: cumulated };
    });
    const samples = [
      ...buckets,
      { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: this.#count },
    ];
    return { name, type: 'histogram', help, samples };
  }
}

function lineOf(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) {
    return String(value);
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
