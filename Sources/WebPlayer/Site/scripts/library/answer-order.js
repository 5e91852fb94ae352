/**
 * Keeps answers in the order of their questions: requests may overtake each other, and an older answer must not replace a newer one.
 */
export class AnswerOrder {
    #asked = 0;
    #taken = 0;

    /**
     * Asks, and takes the answer unless a later question has been answered before.
     * @template Answer
     * @param {() => Promise<Answer>} question
     * @param {(answer: Answer) => void} take
     */
    async ask(question, take) {
        const number = ++this.#asked;
        const answer = await question();
        if (number < this.#taken) return;
        this.#taken = number;
        take(answer);
    }

    /** Leaves out the answers of all questions so far. */
    forget() {
        this.#taken = ++this.#asked;
    }
}
