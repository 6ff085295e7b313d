/** Trouble is a sentence for whoever asked for something; nothing was done. */
export class Trouble extends Error {
  override readonly name = "Trouble";
}
