/** TODO */
export class ValueLimit {}
