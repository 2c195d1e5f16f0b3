-- Whether a system of ids is complete in Redis.
-- KEYS about   Reply 1 or 0
-- One step, as the id and the marker must be of the same server. It asks the server itself, whatever the client thinks.
return whole(KEYS[1], '') and 1 or 0
