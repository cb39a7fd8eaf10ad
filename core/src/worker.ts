/**
 * What a worker of the pool runs, in Node and in browsers. The two lists are closed: a kind that is
 * not here does not run, whatever message asks for it.
 */
import { serve } from "./parallel/index.ts";

serve({
  tasks: [],
  residents: [],
});
