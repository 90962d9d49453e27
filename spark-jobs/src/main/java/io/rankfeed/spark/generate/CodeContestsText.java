package io.rankfeed.spark.generate;

/**
 * The texts of a row. Statements and programs are words and lines drawn at random: they mean nothing, but have the
 * lengths, the repetition and the scripts of real ones.
 */
final class CodeContestsText {
    /** One in this number of problems, and of programs, has characters beyond Latin-1. */
    static final int BEYOND_ONE_IN = 8;
    /** One in this number of rows has an empty input. */
    static final int EMPTY_ONE_IN = 50;

    private static final String[] CPP = {
        "for (int $ = 0; $ < $; $++) {",
        "if ($ > $) {",
        "}",
        "int $ = #;",
        "$ += $;",
        "cin >> $;",
        "cout << $ << endl;",
        "while ($ < $) {",
        "$[$] = $;",
        "vector<int> $($ + 1);",
        "return $;",
        "sort($.begin(), $.end());",
        "$ = max($, $);",
        "$ = ($ + $) % #;",
        "} else {",
        "$.push_back($);",
        "long long $ = $ * 1LL * $;",
        "scanf(\"%d\", &$);",
        "if ($[$] == $[$ - 1]) continue;",
        "int $(int $, int $) {",
        "memset($, 0, sizeof($));",
        "$ = min($, $ + #);",
        "priority_queue<pair<int, int>> $;",
        "map<int, int> $;",
        "swap($, $);",
        "#define $ #",
        "break;"
    };
    private static final String[] PYTHON = {
        "for $ in range($):",
        "if $ > $:",
        "$ = int(input())",
        "$ += $",
        "print($)",
        "$, $ = map(int, input().split())",
        "while $ < $:",
        "$[$] = $",
        "$ = [0] * ($ + 1)",
        "return $",
        "$.sort()",
        "$ = max($, $)",
        "$ = ($ + $) % #",
        "else:",
        "$.append($)",
        "$ = list(map(int, input().split()))",
        "$ = {}",
        "def $($, $):",
        "if $ in $:",
        "$ = $[:$]",
        "from collections import deque, defaultdict",
        "$ = sorted($, key=lambda $: $[#])",
        "break",
        "$ = min($, #)"
    };
    private static final int[] POWERS_OF_TEN = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000};
    private static final String INDENT = " ".repeat(16);

    private CodeContestsText() {}

    /** The statement of a problem: what to do, then the format of input and output. */
    static String instruction(CounterRandom dice) {
        int length = dice.logNormal(1_150, 0.5, 120, 8_000);
        boolean beyond = dice.oneIn(BEYOND_ONE_IN);
        StringBuilder text = new StringBuilder(length + 200);
        sentences(text, dice, length * 6 / 10, beyond);
        text.append("\n\nInput\n\nThe first line contains an integer n (1 <= n <= ")
                .append(bound(dice))
                .append("). ");
        sentences(text, dice, length * 8 / 10, beyond);
        text.append("\n\nOutput\n\nPrint ");
        sentences(text, dice, length, beyond);
        return text.append("\n\nExample\n\nInput\n\n")
                .append(dice.below(100))
                .append('\n')
                .toString();
    }

    /** A test input: lines of numbers or of words; sometimes none. */
    static String input(CounterRandom dice) {
        if (dice.oneIn(EMPTY_ONE_IN)) {
            return "";
        }
        int length = dice.logNormal(110, 1.0, 2, 6_000);
        int bound = POWERS_OF_TEN[1 + dice.below(6)];
        boolean words = dice.oneIn(5);
        StringBuilder text = new StringBuilder(length + 16);
        text.append(1 + dice.below(100)).append('\n');
        while (text.length() < length) {
            if (words) {
                text.append(dice.of(Words.ENGLISH));
            } else {
                text.append(dice.below(bound));
            }
            text.append(dice.oneIn(8) ? '\n' : ' ');
        }
        text.setCharAt(text.length() - 1, '\n');
        return text.toString();
    }

    /** A program, in one of two languages. */
    static String output(CounterRandom dice) {
        int length = dice.logNormal(1_000, 0.8, 40, 20_000);
        boolean python = dice.oneIn(3);
        boolean beyond = dice.oneIn(BEYOND_ONE_IN);
        String[] lines = python ? PYTHON : CPP;
        // A program uses few names, again and again.
        String[] names = new String[8];
        for (int i = 0; i < names.length; i++) {
            names[i] = dice.early(Words.NAMES);
        }
        StringBuilder text = new StringBuilder(length + 100);
        text.append(python ? "import sys\n" : "#include <bits/stdc++.h>\nusing namespace std;\n");
        if (beyond) {
            text.append(python ? "# " : "// ").append(dice.of(Words.BEYOND)).append('\n');
        }
        while (text.length() < length) {
            text.append(INDENT, 0, 4 * dice.below(4));
            line(text, dice, dice.early(lines), names);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, CounterRandom dice, String line, String[] names) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '$') {
                text.append(dice.early(names));
            } else if (c == '#' && i > 0) {
                text.append(dice.below(1_000));
            } else {
                text.append(c);
            }
        }
        text.append('\n');
    }

    private static void sentences(StringBuilder text, CounterRandom dice, int until, boolean beyond) {
        while (text.length() < until) {
            int words = 6 + dice.below(14);
            for (int i = 0; i < words; i++) {
                text.append(beyond && dice.oneIn(12) ? dice.of(Words.BEYOND) : dice.early(Words.ENGLISH));
                text.append(' ');
            }
            text.setLength(text.length() - 1);
            text.append(". ");
        }
    }

    private static int bound(CounterRandom dice) {
        return (1 + dice.below(9)) * POWERS_OF_TEN[1 + dice.below(7)];
    }
}
