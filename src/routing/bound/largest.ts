/** Puts the `count` largest values first, the least of these last among them (Hoare's selection). */
function putLargestFirst(values: Float64Array, count: number): void {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = values[(low + high) >>> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) > middle) left++;
      while ((values[right] as number) < middle) right--;
      if (left > right) break;
      const value = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = value;
    }
    if (count - 1 <= right) high = right;
    else if (count - 1 >= left) low = left;
    else break;
  }
}

/** The sum of the `count` largest of more values than that, which it puts in another order. */
export function sumOfLargest(values: Float64Array, count: number): number {
  putLargestFirst(values, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i] as number;
  return sum;
}
