import { expect, test } from "vitest";
import { nameSides } from "../src/name-sides.ts";

const dot = (x: number, y: number) => ({ x, y });
const named = (x: number, y: number) => ({ name: "Gene1", x, y });

test("a name stands above its dot where nothing is in its way", () => {
  expect(nameSides([named(100, 50)], [dot(100, 50), dot(100, 90), dot(130, 50)], 300)).toEqual([
    "above",
  ]);
});

test("it goes to the side where it covers fewest dots", () => {
  const above = [dot(95, 60), dot(103, 62)];
  expect(nameSides([named(100, 50)], above, 300)).toEqual(["right"]);
  expect(nameSides([named(100, 50)], [...above, dot(120, 50)], 300)).toEqual(["left"]);
  const crowd = [dot(120, 50), dot(125, 52), dot(130, 48), dot(70, 50), dot(75, 50), dot(80, 50)];
  expect(nameSides([named(100, 50)], [...above, ...crowd], 300)).toEqual(["above"]);
});

test("neither out of the drawing nor onto a name before it", () => {
  const above = [dot(295, 60), dot(303, 62)];
  expect(nameSides([named(300, 50)], above, 310)).toEqual(["left"]);
  // The first takes the room on the right of the second.
  const [first, second] = [named(130, 33), named(100, 50)];
  expect(nameSides([first, second], [dot(100, 60)], 300)).toEqual(["above", "left"]);
});

test("above is given up where the name would reach over the axis, and kept where no side has room", () => {
  expect(nameSides([named(5, 50)], [dot(20, 50)], 300)).toEqual(["right"]);
  expect(nameSides([named(298, 50)], [dot(280, 50)], 300)).toEqual(["left"]);
  expect(nameSides([named(5, 50)], [], 20)).toEqual(["above"]);
});
