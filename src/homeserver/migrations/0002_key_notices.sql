-- What only one user is told about another's keys: that they signed them, or that their own user-signing key changed.
CREATE TABLE key_notices (
  reader TEXT NOT NULL,
  user TEXT NOT NULL,
  stream INTEGER NOT NULL,
  PRIMARY KEY (reader, user)
) WITHOUT ROWID;
