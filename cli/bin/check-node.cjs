// Old Nodes have to be able to read this file: it comes before everything else.
const [major, minor] = process.version.slice(1).split(".").map(Number);

if (!(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 20))) {
  console.error(
    `ratewise needs Node.js 22.12 or later (20.20 works too), got ${process.version}; install a newer Node.js and try again`,
  );
  process.exit(1);
}
