// Topic names and filters of MQTT: what matches, and which text may be one level of a topic.

/** Whether a filter with `+` and `#` covers a topic (MQTT 5, section 4.7). */
export function matchesFilter(filter: string, topic: string): boolean {
  const levels = topic.split('/');
  const wanted = filter.split('/');
  const isWild = /^[+#]/.test(filter);
  if (isWild && topic.startsWith('$')) {
    return false;
  }
  for (const [index, level] of wanted.entries()) {
    if (level === '#') {
      return true;
    }
    if (levels[index] === undefined || (level !== '+' && level !== levels[index])) {
      return false;
    }
  }
  return levels.length === wanted.length;
}
