// Command go reads notes, checkpoints and proofs with Go's own golang.org/x/mod/sumdb, and signs notes for us to read.
// It takes one request in JSON on standard input, and answers in JSON on standard output.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type request struct {
	Do      string   `json:"do"`
	Note    string   `json:"note"`
	Key     string   `json:"key"`
	Secret  string   `json:"secret"`
	Text    string   `json:"text"`
	Lines   []string `json:"lines"`
	Proof   []string `json:"proof"`
	Index   int64    `json:"index"`
	Size    int64    `json:"size"`
	Root    string   `json:"root"`
	Old     int64    `json:"old"`
	OldRoot string   `json:"old_root"`
	URL     string   `json:"url"`
	Token   string   `json:"token"`
}

// tiles reads a log as c2sp.org/tlog-tiles has it.
type tiles struct {
	url, token string
}

func (t tiles) Height() int { return 8 }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for i, tile := range wanted {
		// Go's paths name the height of a tile; c2sp.org/tlog-tiles has 8 always.
		data, err := t.get("tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		found[i] = data
	}
	return found, nil
}

func (t tiles) entry(index, size int64) ([]byte, error) {
	tile := tlog.Tile{H: 8, L: -1, N: index / 256, W: int(min(256, size-index/256*256))}
	data, err := t.get("tile/entries/" + strings.TrimPrefix(tile.Path(), "tile/8/data/"))
	if err != nil {
		return nil, err
	}
	for at := index / 256 * 256; len(data) > 2; at++ {
		length := int(data[0])<<8 | int(data[1])
		if at == index {
			return data[2 : 2+length], nil
		}
		data = data[2+length:]
	}
	return nil, fmt.Errorf("entry %d is not in its tile", index)
}

func (t tiles) get(path string) ([]byte, error) {
	asked, err := http.NewRequest("GET", t.url+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	asked.Header.Set("Authorization", "Bearer "+t.token)
	said, err := http.DefaultClient.Do(asked)
	if err != nil {
		return nil, err
	}
	defer said.Body.Close()
	if said.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, said.Status)
	}
	return io.ReadAll(said.Body)
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

type answer struct {
	Error string   `json:"error"`
	Text  string   `json:"text"`
	Names []string `json:"names"`
	Other []string `json:"other"`
	Size  int64    `json:"size"`
	Root  string   `json:"root"`
	Proof []string `json:"proof"`
	Note  string   `json:"note"`
	Key   string   `json:"key"`
}

// memory holds the hashes of a tree as tlog stores them.
type memory []tlog.Hash

func (m memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if index < 0 || index >= int64(len(m)) {
			return nil, fmt.Errorf("there is no hash %d", index)
		}
		found[i] = m[index]
	}
	return found, nil
}

func hash(text string) (tlog.Hash, error) {
	return tlog.ParseHash(text)
}

func hashes(texts []string) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(texts))
	for i, text := range texts {
		h, err := hash(text)
		if err != nil {
			return nil, err
		}
		found[i] = h
	}
	return found, nil
}

func texts(hashes []tlog.Hash) []string {
	found := []string{}
	for _, h := range hashes {
		found = append(found, base64.StdEncoding.EncodeToString(h[:]))
	}
	return found
}

// tree stores the lines, each as one record.
func tree(lines []string) (memory, error) {
	var stored memory
	for n, line := range lines {
		added, err := tlog.StoredHashes(int64(n), []byte(line), stored)
		if err != nil {
			return nil, err
		}
		stored = append(stored, added...)
	}
	return stored, nil
}

func do(asked request) (answer, error) {
	said := answer{Names: []string{}, Other: []string{}, Proof: []string{}}
	switch asked.Do {
	case "open":
		// A checkpoint, signed by the key.
		verifier, err := note.NewVerifier(asked.Key)
		if err != nil {
			return said, err
		}
		opened, err := note.Open([]byte(asked.Note), note.VerifierList(verifier))
		if err != nil {
			return said, err
		}
		said.Text = opened.Text
		for _, sig := range opened.Sigs {
			said.Names = append(said.Names, sig.Name)
		}
		for _, sig := range opened.UnverifiedSigs {
			said.Other = append(said.Other, sig.Name)
		}
		lines := strings.Split(opened.Text, "\n")
		if len(lines) > 2 {
			said.Size, _ = strconv.ParseInt(lines[1], 10, 64)
			said.Root = lines[2]
		}
	case "sign":
		signer, err := note.NewSigner(asked.Secret)
		if err != nil {
			return said, err
		}
		signed, err := note.Sign(&note.Note{Text: asked.Text}, signer)
		if err != nil {
			return said, err
		}
		said.Note = string(signed)
	case "generate":
		secret, public, err := note.GenerateKey(nil, asked.Text)
		if err != nil {
			return said, err
		}
		said.Note, said.Key = secret, public
	case "record":
		// Whether the one line of `lines` is record `index` of the tree.
		proof, err := hashes(asked.Proof)
		if err != nil {
			return said, err
		}
		root, err := hash(asked.Root)
		if err != nil {
			return said, err
		}
		return said, tlog.CheckRecord(tlog.RecordProof(proof), asked.Size, root, asked.Index, tlog.RecordHash([]byte(asked.Lines[0])))
	case "tree":
		// Whether the tree of `size` extends the one of `old`.
		proof, err := hashes(asked.Proof)
		if err != nil {
			return said, err
		}
		root, err := hash(asked.Root)
		if err != nil {
			return said, err
		}
		old, err := hash(asked.OldRoot)
		if err != nil {
			return said, err
		}
		return said, tlog.CheckTree(tlog.TreeProof(proof), asked.Size, root, asked.Old, old)
	case "prove":
		// Root over all lines, and the proofs that Go makes: of record `index` if `old` is 0, else from `old`.
		stored, err := tree(asked.Lines)
		if err != nil {
			return said, err
		}
		size := int64(len(asked.Lines))
		root, err := tlog.TreeHash(size, stored)
		if err != nil {
			return said, err
		}
		said.Root, said.Size = base64.StdEncoding.EncodeToString(root[:]), size
		if asked.Old == 0 {
			proof, err := tlog.ProveRecord(size, asked.Index, stored)
			said.Proof = texts(proof)
			return said, err
		}
		proof, err := tlog.ProveTree(size, asked.Old, stored)
		said.Proof = texts(proof)
		return said, err
	case "served":
		// A log that a server has in tiles: the checkpoint is opened, and each record proved and checked from tiles.
		server := tiles{asked.URL, asked.Token}
		signed, err := server.get("checkpoint")
		if err != nil {
			return said, err
		}
		verifier, err := note.NewVerifier(asked.Key)
		if err != nil {
			return said, err
		}
		opened, err := note.Open(signed, note.VerifierList(verifier))
		if err != nil {
			return said, err
		}
		lines := strings.Split(opened.Text, "\n")
		said.Text, said.Root = lines[0], lines[2]
		said.Size, err = strconv.ParseInt(lines[1], 10, 64)
		if err != nil {
			return said, err
		}
		root, err := hash(said.Root)
		if err != nil {
			return said, err
		}
		reader := tlog.TileHashReader(tlog.Tree{N: said.Size, Hash: root}, server)
		for index := int64(0); index < said.Size; index++ {
			proof, err := tlog.ProveRecord(said.Size, index, reader)
			if err != nil {
				return said, err
			}
			record, err := server.entry(index, said.Size)
			if err != nil {
				return said, err
			}
			if err := tlog.CheckRecord(proof, said.Size, root, index, tlog.RecordHash(record)); err != nil {
				return said, fmt.Errorf("record %d: %v", index, err)
			}
			said.Names = append(said.Names, string(record))
		}
	default:
		return said, fmt.Errorf("nothing is called %q", asked.Do)
	}
	return said, nil
}

func main() {
	// One request a line, one answer a line.
	decoder, encoder := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for decoder.More() {
		var asked request
		if err := decoder.Decode(&asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		said, err := do(asked)
		if err != nil {
			said.Error = err.Error()
		}
		encoder.Encode(said)
	}
}
