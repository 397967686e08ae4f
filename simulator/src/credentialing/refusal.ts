// The refusal of the credentialing interface: a status and one sentence (wire contract 8).

/** Thrown by the service, turned into `{"error":"<sentence>"}` by the routes. Carries no value the caller sent. */
export class CredentialingRefusal extends Error {
  override readonly name = 'CredentialingRefusal';
  readonly status: 400 | 401 | 403 | 404 | 409;

  constructor(status: 400 | 401 | 403 | 404 | 409, sentence: string) {
    super(sentence);
    this.status = status;
  }
}
