-- Key changes for one user only: that they signed another user's keys, or that their own user-signing key changed.
CREATE TABLE key_notices (
  reader TEXT NOT NULL,
  user TEXT NOT NULL,
  stream INTEGER NOT NULL,
  PRIMARY KEY (reader, user)
) WITHOUT ROWID;
