export { didYouMean } from "./suggest.ts";
export {
  mention,
  type OptionMention,
  type OptionText,
  say,
  type Words,
  wordsText,
} from "./words.ts";
