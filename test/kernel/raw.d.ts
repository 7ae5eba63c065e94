/** A document as text: the bundler of every runtime gives it. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
