import { indexNames, type VariableGroup } from "@ratewise/core/data";
import { readGroups } from "../../input/variable-files.ts";
import { positionAt } from "./bim-variants.ts";
import type { StreamWork } from "./stream-work.ts";

/** The sets of `--groups`; variants lie where the .bim file says. */
export async function groupsOf({
  source,
  variants,
  checked,
  values,
  io,
}: GroupWork): Promise<readonly VariableGroup[] | undefined> {
  if (values.groups === undefined) return undefined;
  const index = indexNames(
    source.names ?? Array.from({ length: source.columns }, (_, j) => `x${j + 1}`),
  );
  const positions = variants && {
    get: (name: string) => {
      const at = index.get(name);
      return at === undefined ? undefined : positionAt(variants, at);
    },
  };
  const read = await readGroups(values.groups, io, {
    ...(checked.window !== undefined && { window: checked.window }),
    positions: () => positions ?? undefined,
  });
  return read(index);
}

type GroupWork = Pick<StreamWork, "source" | "variants" | "checked" | "values" | "io">;
