import { diagnosticOf } from "@ratewise/core/diagnostic";
import { type ExplainedVariable, methodTitle } from "@ratewise/core/explain";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { Explained } from "../protocol.ts";
import type { State } from "../state.ts";
import { effectUnit } from "./effect-unit.ts";
import { Figure } from "./figure.tsx";
import { Name } from "./name.tsx";
import { percent, signed, small, spread } from "./number-text.ts";
import { VariableLink } from "./variable-link.tsx";

/** Everything that is known of one variable. */
export function VariablePage({
  name,
  state,
  actions,
}: {
  name: string;
  state: State;
  actions: Actions;
}): JSX.Element {
  const { document, rankable, comparison } = state.explained!;
  const variable = document.variables.find((other) => other.name === name)!;
  const shape = document.shapes.findIndex((other) => other.name === name);
  const standIns = document.variables.filter(({ standInFor }) => standInFor === name);
  const groups = state.settings.groups.kind === "own" ? state.settings.groups.groups : {};
  const member = Object.entries(groups).flatMap(([group, names]) =>
    names.includes(name) ? [group] : [],
  );
  const ranks = comparison?.variables.find((other) => other.name === name)?.ranks;
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), [name]);
  return (
    <section aria-labelledby="variable-title" id="variable">
      <div class="variable-head">
        <h3 id="variable-title" tabIndex={-1} ref={title}>
          <Name text={name} />
        </h3>
        <button type="button" class="plain" id="to-ranking" onClick={() => actions.show("ranking")}>
          Back to the ranking
        </button>
      </div>
      <dl class="facts">{facts(variable, state.explained!)}</dl>
      {variable.standInFor !== null && (
        <p class="note">
          It stands in for <VariableLink name={variable.standInFor} actions={actions} />: it moves
          with the prediction only because it moves with that one.
        </p>
      )}
      {standIns.length > 0 && (
        <p>
          Its {standIns.length === 1 ? "stand-in" : "stand-ins"}:{" "}
          {listed(
            standIns.map((other) => (
              <VariableLink key={other.name} name={other.name} actions={actions} />
            )),
          )}
          .
        </p>
      )}
      {member.length > 0 && (
        <p>
          In the {member.length === 1 ? "group" : "groups"}{" "}
          {listed(member.map((group) => <Name key={group} text={group} most={40} />))}.
        </p>
      )}
      {ranks && (
        <p>
          Its rank by other methods:{" "}
          {Object.entries(ranks)
            .map(([method, rank]) => `${methodTitle(method)} ${rank ?? "–"}`)
            .join(", ")}
          .
        </p>
      )}
      {shape >= 0 ? (
        <Figure name={`shape-${shape + 1}`} actions={actions} />
      ) : (
        <p class="soft">Shapes are computed for the leading variables only.</p>
      )}
      {rankable && (
        <p class="buttons">
          <button
            type="button"
            class="button"
            id="nullify"
            onClick={() => {
              actions.show("explore");
              void actions.rankAgain([name], state.ranked?.variant ?? null);
            }}
          >
            What if its effect were zero?
          </button>
        </p>
      )}
    </section>
  );
}

function facts(variable: ExplainedVariable, { document, predicted }: Explained): JSX.Element[] {
  const count = document.variables.length;
  const top = diagnosticOf(document.diagnostics, "stability")?.top ?? "ones";
  const { rank, rate, direct, mean, sd, rankInterval, topK, selected, pValue, qValue } = variable;
  const rows: (readonly [string, ComponentChildren] | false)[] = [
    ["RATE", rate !== null && `${percent(rate)}, rank ${rank} of ${count}`],
    ["Direct", direct !== null && `${percent(direct.rate)}, rank ${direct.rank}`],
    mean !== null &&
      sd !== null && [
        "Effect",
        `${signed(mean)} ± ${spread(sd)} ${effectUnit(predicted)}: how much higher the prediction is when it is one standard deviation higher and the others move as they do in the table`,
      ],
    rankInterval !== null && [
      "Rank, with 90% probability",
      `${rankInterval[0]} to ${rankInterval[1]}`,
    ],
    topK !== null && [`Probability of being in the first ${top}`, percent(topK)],
    selected !== null && ["Selected as a finding", selected ? "yes" : "no"],
    pValue !== null && ["p-value", small(pValue)],
    qValue !== null && [
      "q-value",
      `${small(qValue)}, the smallest false discovery rate at which it would be selected`,
    ],
  ];
  return rows
    .filter((row) => row !== false)
    .map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ));
}

function listed(parts: readonly JSX.Element[]): ComponentChildren {
  return parts.flatMap((part, at) => [
    at === 0 ? "" : at === parts.length - 1 ? " and " : ", ",
    part,
  ]);
}
