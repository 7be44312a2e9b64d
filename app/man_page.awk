# Turns a page of reference into a manual page (man(7)). Of Markdown it knows what those pages use: headings,
# paragraphs, lists, tables and blocks of code; in a line `code`, *emphasis* and [links](of-the-page).
# awk -v section=5 -v version=0.1.0 -f man_page.awk PAGE.md

function literal(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text
}


# A line outside code; what stands between backticks is bold and otherwise as it is.
function inline(text,   made, before, code) {
  made = ""
  while (match(text, /`[^`]+`/)) {
    before = substr(text, 1, RSTART - 1)
    code = substr(text, RSTART + 1, RLENGTH - 2)
    text = substr(text, RSTART + RLENGTH)
    made = made plain(before) "\\fB" literal(code) "\\fR"
  }
  made = made plain(text)
  return made ~ /^[.']/ ? "\\&" made : made
}

function plain(text,   made, words) {
  gsub(/\\/, "\\e", text)
  made = ""
  while (match(text, /\[[^]]*\]*\]\([^)]*\)|\*[^* ][^*]*\*/)) {
    words = substr(text, RSTART, RLENGTH)
    made = made substr(text, 1, RSTART - 1)
    if (words ~ /^\*/) {
      made = made "\\fI" substr(words, 2, length(words) - 2) "\\fR"
    } else {
      made = made substr(words, 2, index(words, "](") - 2)
    }
    text = substr(text, RSTART + RLENGTH)
  }
  return made text
}

# Its cells in row[1], row[2], ...; how many there are.
function split_row(line) {
  sub(/^\| */, "", line)
  sub(/ *\|[ ]*$/, "", line)
  return split(line, row, / +\| +/)
}

# The first cell is what is explained, the last one says what it is, and those between have a title.
function table_row(line,   cells, i, more) {
  cells = split_row(line)
  print ".TP\n" inline(row[1])
  more = ""
  for (i = 2; i < cells; ++i) {
    more = more (more == "" ? "" : "; ") titles[i] ": " row[i]
  }
  if (cells > 1 && row[cells] != "|") {
    print inline(row[cells]) (more == "" ? "" : "\n.br")
  }
  if (more != "") {
    print inline(more)
  }
}

/^```/ {
  print in_code ? ".EE\n.RE" : ".PP\n.RS 4\n.EX"
  in_code = !in_code
  next
}
in_code {
  line = literal($0)
  print line ~ /^[.']/ ? "\\&" line : line
  next
}
/^# / {
  colon = index($0, ":")
  name = substr($0, 3, colon - 3)
  print ".TH " toupper(name) " " section " \"\" \"rooftile " version "\""
  print ".SH NAME\n" literal(name) " \\- " inline(substr($0, colon + 2)) "\n.SH DESCRIPTION"
  next
}
/^## / {
  print ".SH \"" toupper(plain(substr($0, 4))) "\""
  next
}
/^### / {
  print ".SS \"" plain(substr($0, 5)) "\""
  next
}
/^\| *-/ { next }  # below the titles of a table
/^\|/ {
  if (!in_table) {
    split_row($0)
    for (i in row) {
      titles[i] = row[i]
    }
  } else {
    table_row($0)
  }
  in_table = 1
  next
}
{ in_table = 0 }
/^- / {
  print ".IP \\(bu 2\n" inline(substr($0, 3))
  next
}
/^$/ {
  print ".PP"
  next
}
{
  sub(/^ +/, "")
  print inline($0)
}
