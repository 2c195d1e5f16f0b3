import { problem } from '@/lib/api/problem'
import { TerseError } from '@/lib/errors'

/** What the API does not have, told in the API's own way. */
const nothing = () => problem(new TerseError('not_found', 'The API has nothing at this address; /docs lists what it has.'))

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT }
