/** The version written into every result; a test holds it equal to package.json. */
export const version = "0.2.0";
