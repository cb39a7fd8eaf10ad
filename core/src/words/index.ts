export { flagText, kebabCase, valueText } from "./flag-text.ts";
export { didYouMean } from "./suggest.ts";
export {
  clause,
  mention,
  mentioned,
  type OptionMention,
  type OptionText,
  type OptionValue,
  say,
  type Words,
  wordsText,
} from "./words.ts";
