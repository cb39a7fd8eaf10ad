const ISO =
  /^\s*(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(Z|[+-]\d{2}:?\d{2})?)?)?\s*$/;

/**
 * Seconds since 1970 of a date or time as ISO 8601 writes it: 2024-03, 2024-03-31, 2024-03-31T10:30, with seconds and an offset where
 * there are some. What names no offset counts as UTC. Null where the text is no such date.
 */
export function secondsOf(text: string): number | null {
  const [, year, month, day = "01", hour = "00", minute = "00", second = "0", zone = "Z"] =
    ISO.exec(text) ?? [];
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) >= 61)
    return null;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // A 31st of April would be the 1st of May.
  if (Number(day) < 1 || new Date(date).getUTCMonth() !== Number(month) - 1) return null;
  return (
    date / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - secondsAhead(zone)
  );
}

function secondsAhead(zone: string): number {
  if (zone === "Z") return 0;
  const ahead = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * 60;
  return zone.startsWith("-") ? -ahead : ahead;
}
