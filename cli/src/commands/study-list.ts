/** A study as the list and the help of `ratewise study` have it: both come from here, without loading the studies. */
export interface StudyEntry {
  readonly name: string;
  readonly about: string;
  /** What it reads of `RATEWISE_DATA`, by the name that `ratewise data` has for it; null where it simulates. */
  readonly data: string | null;
  /** Of the whole study on two cores. */
  readonly time: string;
}

export const studyList: readonly StudyEntry[] = [
  {
    name: "collinearity",
    about:
      "least squares and covariances when two columns are nearly equal (supplement 1 and 2, and three statements of the paper)",
    data: null,
    time: "seconds",
  },
  {
    name: "simulation",
    about: "how well rankings find causal variables (Tables 1 and 2, Figures 2 to 4)",
    data: null,
    time: "many hours from scratch; a checkout has most of it recorded",
  },
  {
    name: "mnist",
    about: "which pixels tell zeros from ones and evens from odds (Figures 5 to 8)",
    data: "mnist",
    time: "half an hour",
  },
  {
    name: "imdb",
    about: "which words make a film review positive or negative (Figure 9)",
    data: "imdb",
    time: "20 minutes",
  },
  {
    name: "mice",
    about: "which genes are associated with body mass and HDL cholesterol (Figures 10, 11)",
    data: "mice",
    time: "80 minutes",
  },
  {
    name: "hidden",
    about: "genes and gene sets as hidden units of a network (the outlook)",
    data: "mice",
    time: "15 minutes",
  },
];

/** A line a study, name and text two spaces apart, as help is laid out. */
export const studyListText: string = studyList
  .map(
    ({ name, about, data, time }) =>
      `  ${name}  ${about}; ${data === null ? "simulated" : `needs the data ${data}`}, ${time}\n`,
  )
  .join("");
