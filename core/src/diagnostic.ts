/** A warning as data: the library never prints. `code` is stable, `message` is for people. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}
