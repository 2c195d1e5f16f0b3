/** An account, as far as what it asks for depends on it. */
export interface Account {
  id: string
  name: string
  email: string
  /** Its public number in 8 digits. */
  handle: string
  role: 'user' | 'admin'
}

/** Whether a ban is in force, by an account's row. */
export const isBanned = (user: { banned: boolean | null; banExpires: Date | null }, now = Date.now()): boolean =>
  Boolean(user.banned) && (user.banExpires === null || user.banExpires.getTime() > now)

/** The same of rows of User, in SQL and as Prisma asks for it. */
export const BANNED = '(banned AND (banExpires IS NULL OR banExpires > UTC_TIMESTAMP(3)))'
export const whereBanned = () => ({ banned: true, OR: [{ banExpires: null }, { banExpires: { gt: new Date() } }] })

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
  /** This server does it by itself: it counts for nobody's budget. */
  isByItself?: true
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
