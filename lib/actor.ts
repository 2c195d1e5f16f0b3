/** An account, as far as what it asks for depends on it. */
export interface Account {
  id: string
  name: string
  email: string
  /** Its public number in 8 digits. */
  handle: string
  role: 'user' | 'admin'
}

/** Who asks. */
export interface Actor {
  /** null without an account. */
  account: Account | null
  /** The account that owns what the actor makes: `account.id`. */
  ownerId: string | null
  /** 'read' for a read-only API key. */
  scope: 'read' | 'write'
  /** The manage token sent along, if any. */
  manageToken: string | null
  origin: Origin
}

/** From where something is asked for. */
export interface Origin {
  /** The client's address. null: not known, or nobody's but this server's own. */
  address: string | null
  /** A job asks, which can wait, and leaves room to requests that cannot. */
  isJob: boolean
}

/** Where nothing is known of it. */
export const NOWHERE: Origin = { address: null, isJob: false }

/** Who asks, as its credentials tell. */
export type Identified = Omit<Actor, 'origin'>

/** Someone without an account, with or without a manage token. */
export const anonymous = (manageToken: string | null = null, origin: Origin = NOWHERE): Actor => ({
  account: null,
  ownerId: null,
  scope: 'write',
  manageToken,
  origin,
})
