import { RatewiseError } from "@ratewise/core";

/**
 * The names of a .bim file's variants, all different, as variantNames gives them but without an object a line: of a million only the names stay.
 * The id; where that is "." or taken, chromosome:position:A1:A2, with the line's number after it if that is taken too.
 */
export function bimNames(text: string, where: string): string[] {
  const fields = linesOf(text, where);
  const times = new Map<string, number>();
  for (const [, id] of fields()) times.set(id, (times.get(id) ?? 0) + 1);
  const taken = new Set<string>();
  const names: string[] = [];
  for (const [chromosome, id, , position, a1, a2] of fields()) {
    if (id !== "." && times.get(id) === 1) {
      names.push(id);
      continue;
    }
    const place = `${chromosome}:${position}:${a1}:${a2}`;
    const name = taken.has(place) || times.has(place) ? `${place}:${names.length + 1}` : place;
    taken.add(name);
    names.push(name);
  }
  if (names.length === 0) throw new RatewiseError("parse", `${where}: the file is empty`);
  return names;
}

/** The six fields of each line, every time anew. */
function linesOf(text: string, where: string): () => Generator<string[]> {
  return function* () {
    let line = 0;
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf("\n", at);
      const end = next < 0 ? text.length : next;
      const content = text.slice(at, end).trim();
      at = end + 1;
      line++;
      if (content === "") continue;
      const fields = content.split(/\s+/);
      if (fields.length !== 6)
        throw new RatewiseError(
          "parse",
          `${where}, line ${line}: needs 6 fields (chromosome, name, centimorgans, position, two alleles), got ${fields.length}`,
          { line },
        );
      yield fields;
    }
  };
}
