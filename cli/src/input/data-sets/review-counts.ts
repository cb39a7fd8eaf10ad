/** A review as it lies in the archive: which half, its number there, its stars. */
export interface Review {
  readonly half: "train" | "test";
  readonly positive: boolean;
  readonly number: number;
  readonly stars: number;
  readonly text: string;
}

/** What Keras' Tokenizer replaces by a space; apostrophes stay. */
const FILTERED = /[!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~\t\n]/g;

/** Words as Keras' Tokenizer splits them. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(FILTERED, " ")
    .split(" ")
    .filter((word) => word !== "");
}

export interface ReviewCounts {
  /** rank, word, count and reviews with the word in the training half; the first 5,000. */
  readonly vocabulary: string;
  /** LIBSVM: stars, then word:count with words counted from 0 in the order of the vocabulary. */
  readonly train: string;
  readonly test: string;
}

const WORDS = 5000;

/** Counts of the commonest words of the training half; words as common as each other in the order in which they first appear. */
export function countReviews(reviews: readonly Review[], most: number = WORDS): ReviewCounts {
  const half = (name: Review["half"]): readonly Review[] =>
    reviews
      .filter((review) => review.half === name)
      .sort((a, b) => Number(b.positive) - Number(a.positive) || a.number - b.number);
  const [train, test] = [half("train"), half("test")];
  const totals = new Map<string, { count: number; reviews: number }>();
  for (const { text } of train) {
    for (const [word, count] of counted(wordsOf(text))) {
      const total = totals.get(word) ?? { count: 0, reviews: 0 };
      totals.set(word, { count: total.count + count, reviews: total.reviews + 1 });
    }
  }
  const kept = [...totals].sort(([, a], [, b]) => b.count - a.count).slice(0, most);
  const index = new Map(kept.map(([word], at) => [word, at]));
  const line = ({ stars, text }: Review): string => {
    const entries = [...counted(wordsOf(text))].flatMap(([word, count]): [number, number][] => {
      const at = index.get(word);
      return at === undefined ? [] : [[at, count]];
    });
    entries.sort(([a], [b]) => a - b);
    return [stars, ...entries.map(([at, count]) => `${at}:${count}`)].join(" ");
  };
  const rows = kept.map(([word, total], at) =>
    [at + 1, word, total.count, total.reviews].join("\t"),
  );
  return {
    vocabulary: `${["rank\tword\ttrain_count\ttrain_doc_freq", ...rows].join("\n")}\n`,
    train: `${train.map(line).join("\n")}\n`,
    test: `${test.map(line).join("\n")}\n`,
  };
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
