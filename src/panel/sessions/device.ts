// The browser and system of a login in closed words: what a browser says of itself is foreign text, and is not kept.

type Kinds = readonly (readonly [form: RegExp, name: string])[];

/** The first that fits: most browsers name others beside themselves. */
const BROWSERS: Kinds = [
  [/\bEdgA?\//u, 'Edge'],
  [/\bOPR\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
];

const SYSTEMS: Kinds = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bWindows\b/u, 'Windows'],
  [/\bMac OS X\b/u, 'Mac'],
  [/\bCrOS\b/u, 'Chromebook'],
  [/\bLinux\b/u, 'Linux'],
];

/** "Safari, iPhone"; empty where neither is known. */
export function deviceOf(userAgent: string): string {
  const known = [BROWSERS, SYSTEMS].flatMap(
    (kinds) => kinds.find(([form]) => form.test(userAgent))?.slice(1) ?? [],
  );
  return known.join(', ');
}
