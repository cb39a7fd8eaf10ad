export type NameSide = "above" | "right" | "left";

/** In pixels, y upwards. */
export interface Dot {
  readonly x: number;
  readonly y: number;
}

export interface NamedDot extends Dot {
  readonly name: string;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** Pixels of a letter across, of a line up, between a dot's middle and its name, and of a dot's radius. */
const [LETTER, LINE, GAP, DOT] = [7.5, 13, 5, 2.5];

/** On which side of its dot each name covers fewest other dots, above where it makes no difference or no side has room, and never a name before it. */
export function nameSides(
  named: readonly NamedDot[],
  dots: readonly Dot[],
  width: number,
): NameSide[] {
  const taken: Box[] = [];
  return named.map((own) => {
    const sides = (["above", "right", "left"] as const).map((side) => ({
      side,
      box: boxOf(own, side),
    }));
    const inside = sides.filter(
      ({ side, box }) =>
        box.left >= 0 &&
        box.right <= width &&
        (side === "above" || !taken.some((other) => overlap(box, other))),
    );
    const free = inside.length > 0 ? inside : sides.slice(0, 1);
    const covered = ({ left, right, low, high }: Box): number =>
      dots.filter(
        ({ x, y }) => x > left - DOT && x < right + DOT && y > low - DOT && y < high + DOT,
      ).length;
    const counts = free.map(({ box }) => covered(box));
    const { side, box } = free[counts.indexOf(Math.min(...counts))];
    taken.push(box);
    return side;
  });
}

function boxOf({ x, y, name }: NamedDot, side: NameSide): Box {
  const across = LETTER * name.length;
  if (side === "above")
    return { left: x - across / 2, right: x + across / 2, low: y + GAP, high: y + GAP + LINE };
  const left = side === "right" ? x + GAP : x - GAP - across;
  return { left, right: left + across, low: y - LINE / 2, high: y + LINE / 2 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.low < b.high && b.low < a.high;
}
