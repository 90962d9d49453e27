package io.rankfeed.spark.generate;

/** The words of the texts; frequent words are first. */
final class Words {
    static final String[] ENGLISH = """
            the of a to is in and that you each number for it be are given one integer with at can as if from
            there an array by sequence has exactly integers find elements all two this on first string not which
            print he number any after only length will must other than more next second distinct such so minimum
            maximum possible every same query them graph vertex tree edge path cost value sum between segment
            consecutive position moves operation times equal letters lowercase non-negative contains line test
            case cases input output answer let consider chosen Polycarp Vasya Alice Bob game player wins turn
            stones cards board cell row column grid city road roads cities connected directed weighted shortest
            distance point points plane coordinates rectangle square triangle side area circle radius permutation
            prime divisor multiple remainder modulo power product subset substring subsequence prefix suffix
            palindrome bracket regular balanced binary decimal digit digits bits xor odd even positive negative
            largest smallest increasing decreasing order sorted swap remove add insert replace choose move jump
            time minute second day days week year money coins price buy sell shop store machine robot room door
            key lock box boxes weight balls color colors painted black white red blue green initially finally
            before until while during without within among again once twice both either neither another some
            many few several enough least most strictly less greater lower upper left right top bottom start end
            beginning middle center index indices zero leading simple cycle root leaf leaves parent child children
            subtree depth height level degree neighbor adjacent opposite pair pairs triple tuple set multiset stack
            queue list table matrix diagonal transpose rotation reflection symmetry pattern match expression formula
            equation function variable constant parameter constraint limit bound infinity probability expected
            random uniformly independent event outcome dice coin fair student students teacher school exam grade
            friend friends party gift present birthday cake slice kingdom king queen knight dragon castle tower
            wall bridge river island boat train station ticket passenger bus stop schedule worker workers task
            tasks project deadline company office computer server network cable message packet byte file folder
            memory cache process thread program language keyword identifier statement compiler error bug
            """.strip().split("\\s+");

    /** Words with characters beyond Latin-1: other scripts, combining marks, signs outside the basic plane, joined emoji. */
    static final String[] BEYOND = {
        "数组",
        "整数",
        "最小值",
        "文字列",
        "グラフ",
        "정수",
        "строка",
        "массив",
        "граф",
        "ακέραιος",
        "שלום",
        "مصفوفة",
        "नमस्ते",
        "ไทย",
        "cafe\u0301",
        "nai\u0308ve",
        "A\u030angstro\u0308m",
        "≤",
        "≠",
        "∑",
        "√",
        "→",
        "⌊x/2⌋",
        "\ud835\udc65",
        "\ud83d\ude80",
        "\ud83e\udde9",
        "\ud83d\udc69\u200d\ud83d\udcbb",
        "\ud83c\uddf3\ud83c\uddf1",
        "\ud840\udc0b"
    };

    static final String[] NAMES = {
        "n", "i", "m", "a", "k", "ans", "s", "x", "res", "j", "t", "y", "cnt", "b", "sum", "dp", "v", "q", "cur", "l",
        "r", "tmp", "mx", "vis", "mn", "adj", "pos", "len", "best", "prev", "total", "dist", "left", "right", "val",
        "idx", "flag", "used", "parent", "memo", "lo", "hi", "mid", "arr", "queue", "stack", "node", "edge", "cost",
        "pref", "order", "heap"
    };

    private Words() {}
}
