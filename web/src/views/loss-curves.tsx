import type { JSX } from "preact";
import type { LossPoint } from "../state.ts";
import { short } from "./number-text.ts";

/** Of the drawing, CSS pixels, and of one for a phone: its letters would become too small. */
const [WIDE, NARROW] = [640, 340];
const HEIGHT = 200;
const LEFT = 56;
const EDGE = 10;

/** The loss of training rows and of rows held back as it comes in, one pair of lines per network. */
export function LossCurves({ losses }: { losses: readonly LossPoint[] }): JSX.Element {
  const width = innerWidth < WIDE ? NARROW : WIDE;
  const networks = [...new Set(losses.map(({ network }) => network))].sort((a, b) => a - b);
  const values = losses.flatMap(({ loss, validationLoss }) =>
    validationLoss === null ? [loss] : [loss, validationLoss],
  );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (share: number): string => (LEFT + (width - LEFT - EDGE) * share).toFixed(1);
  const height = (loss: number): number =>
    HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (loss - low)) / Math.max(high - low, 1e-12);
  const path = (network: number, of: (point: LossPoint) => number | null): string =>
    losses
      .filter((point) => point.network === network && of(point) !== null)
      .map(
        (point, at) => `${at === 0 ? "M" : "L"}${x(point.share)} ${height(of(point)!).toFixed(1)}`,
      )
      .join("");
  const last = losses.at(-1)!;
  const several = networks.length > 1;
  const line = { fill: "none", "stroke-width": several ? 1 : 1.6 };
  return (
    <figure id="loss">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label="Loss while training, falling">
        {[low, (low + high) / 2, high].map((loss) => (
          <g key={loss}>
            <line
              x1={LEFT}
              x2={width - EDGE}
              y1={height(loss)}
              y2={height(loss)}
              stroke="var(--line)"
            />
            <text
              x={LEFT - 8}
              y={height(loss) + 4}
              text-anchor="end"
              font-size="12"
              fill="var(--soft)"
            >
              {short(loss)}
            </text>
          </g>
        ))}
        {networks.map((network) => (
          <g key={network}>
            <path d={path(network, ({ loss }) => loss)} stroke="var(--rate)" {...line} />
            <path
              d={path(network, ({ validationLoss }) => validationLoss)}
              stroke="var(--direct)"
              {...line}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        Loss (how much the rows surprise the network: minus the logarithm of the probability that it
        gave each row) of <span class="rate">training rows</span>
        {last.validationLoss !== null && (
          <>
            {" "}
            and of <span class="direct">rows held back</span>
          </>
        )}
        {several ? `, ${networks.length} networks begun` : `: ${short(last.loss)}`}
        {!several && last.validationLoss !== null && ` and ${short(last.validationLoss)}`}, from the
        beginning of training at the left to its longest at the right. Training tries several
        strengths of shrinking. It stops each one when the rows held back get no better, so it often
        ends long before the right end. Lower is better
        {low < 0 && "; if the network predicts numbers, it may go below zero"}.
      </figcaption>
    </figure>
  );
}
