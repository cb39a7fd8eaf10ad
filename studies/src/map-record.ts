/** The same keys with other values. */
export function mapRecord<Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  of: (value: Value, key: Key) => Result,
): Record<Key, Result> {
  const entries = Object.entries<Value>(record).map(([key, value]) => [key, of(value, key as Key)]);
  return Object.fromEntries(entries) as Record<Key, Result>;
}
