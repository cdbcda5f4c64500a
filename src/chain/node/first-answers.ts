/** Whether at least `count` of the answers are yes; settles as soon as that is certain, whoever is still silent. */
export function hasYesFrom(answers: readonly Promise<boolean>[], count: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let missing = count;
    let open = answers.length;
    const look = () => {
      if (missing <= 0) resolve(true);
      else if (open < missing) resolve(false);
    };
    const take = (isYes: boolean) => {
      open -= 1;
      if (isYes) missing -= 1;
      look();
    };
    for (const answer of answers) answer.then(take, reject);
    look();
  });
}
