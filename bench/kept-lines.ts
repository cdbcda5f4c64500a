/** Lines that are shown as they come, and kept for a file. */
export function createKeptLines() {
  const lines: string[] = [];
  return {
    lines: lines as readonly string[],
    print(line: string): void {
      console.log(line);
      lines.push(line);
    },
  };
}
