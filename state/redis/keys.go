package redis

import (
	"fmt"
	"hash/crc32"

	"autobattle/state"
)

// shards is how many parts the battles are divided into. The keys of a shard share a hash tag, and so a
// slot of a Cluster: one script can write a battle, its place in the listing and its deadline together.
// The number is part of the format: it can never change.
const shards = 64

// battleKeys are the keys of one battle and of its shard.
type battleKeys struct {
	id                            string
	channel                       string // commits are published here
	log, head, commands, snapshot string
	battles, due                  string
}

func keysOf(id state.ID) battleKeys {
	name := id.String()
	shard := shardPrefix(int(crc32.ChecksumIEEE([]byte(name)) % shards))
	own := shard + name
	return battleKeys{
		id: name, channel: own,
		log: own + ":log", head: own + ":head", commands: own + ":commands", snapshot: own + ":snapshot",
		battles: shard + "battles", due: shard + "due",
	}
}

func shardPrefix(shard int) string { return fmt.Sprintf("ab:{%02d}:", shard) }

// battle lists the keys that a commit writes, as the scripts expect them.
func (k battleKeys) battle() []string {
	return []string{k.log, k.head, k.commands, k.snapshot, k.battles, k.due}
}

// docKeys are the keys of a collection, as the scripts expect them: data, revisions, sorted keys, puts.
func docKeys(c state.Collection) []string {
	own := "ab:{" + c.String() + "}:"
	return []string{own + "docs", own + "revs", own + "keys", own + "puts"}
}
