import { expect, test } from "vitest";
import { readCsvRecords } from "../src/csv-records.ts";

test("finds the columns by name, and leaves every cell as it was written", () => {
  const text = '\ufeffnote,group,variable\r\n"a,b",NA, x1\r\n,007,"x""2"\r\n\r\n';
  expect(readCsvRecords(text, "g.csv", ["variable", "group"])).toEqual([
    [" x1", "NA"],
    ['x"2', "007"],
  ]);
});

test("takes tabs and semicolons where the header has them", () => {
  expect(readCsvRecords("variable\tgroup\na,b\tg\n", "g", ["variable", "group"])).toEqual([
    ["a,b", "g"],
  ]);
  expect(readCsvRecords("variable;group\na;g\n", "g", ["variable", "group"])).toEqual([["a", "g"]]);
});

test("says which record lacks something", () => {
  const read = (text: string) => () => readCsvRecords(text, "g.csv", ["variable", "group"]);
  expect(read("variable,group\na,g\nb\n")).toThrow("g.csv, record 3: needs a group, got nothing");
  expect(read("variable,set\na,g\n")).toThrow(
    'needs a header with variable,group, got "variable,set"',
  );
  expect(read("")).toThrow('needs a header with variable,group, got ""');
  expect(read('variable,group\n"a,g\n')).toThrow(/g\.csv, record \d+: /);
});
