package io.rankfeed.text.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both layouts of conversations about images, and what is neither. In the JSON of these tests ' stands for a quotation mark. */
class ConversationTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "NULL", textBlock = """
        []                                                   | NULL | []        |
        []                                                   | ` `  | []        |
        [{'from':'human','value':'a'},{'from':'gpt','value':'b'}] | NULL | [{'role':'user','content':'a'},{'role':'assistant','content':'b'}] |
        [{'from':'human','value':'a'}]                       | x.png | [{'role':'user','content':'<i>a'}] | x.png
        [{'from':'human','value':'a<i>b'}]                   | x.png | [{'role':'user','content':'a<i>b'}] | x.png
        [{'role':'system','content':'s'},{'role':'user','content':'a'},{'role':'user','content':'b'}] | x | [{'role':'system','content':'s'},{'role':'user','content':'<i>a'},{'role':'user','content':'b'}] | x
        [{'role':'user','content':[{'type':'text','text':'a'},{'type':'image','image':'y'},{'type':'text','text':'b'}]}] | NULL | [{'role':'user','content':'a<i>b'}] | y
        [{'role':'user','content':[{'type':'image','image':'y'}]},{'role':'user','content':[{'type':'image','image':'z'}]}] | x | [{'role':'user','content':'<i><i>'},{'role':'user','content':'<i>'}] | x,y,z
        [{'role':'assistant','content':null,'tool_calls':[1]},{'role':'tool','name':'f','content':'2'}] | NULL | [{'tool_calls':[1],'role':'assistant'},{'name':'f','role':'tool','content':'2'}] |
        [{'role':'other','content':''}]                      | NULL | [{'role':'other','content':''}] |
        [{'role':'user','content':[{'type':'text','text':'<i> is'},{'type':'image','image':'y'},{'type':'text','text':'<'},{'type':'text','text':'i>'}]}] | NULL | [{'role':'user','content':'<\u2060i> is<i><\u2060i>'}] | y
        [{'from':'human','value':'<i>What is \\\\<i>?'},{'from':'gpt','value':'\\\\<i>'}] | x | [{'role':'user','content':'<i>What is <\u2060i>?'},{'role':'assistant','content':'<\u2060i>'}] | x
        [{'from':'human','value':'What is \\\\<i>? a\\\\b'}]      | NULL | [{'role':'user','content':'What is <\u2060i>? a\\\\b'}] |
        [{'from':'human','value':'What is \\\\<i>?'}]          | x | [{'role':'user','content':'<i>What is <\u2060i>?'}] | x
        [{'role':'user','content':[{'type':'image','image':'./a//1.jpg'},{'type':'image','image':'b/../a/./1.jpg'}]}] | c/.././d.jpg | [{'role':'user','content':'<i><i><i>'}] | d.jpg,a/1.jpg,a/1.jpg
        [{'role':'user','content':'<i>a'},{'role':'user','content':[{'type':'image','image':'y'}]}] | x | [{'role':'user','content':'<i>a'},{'role':'user','content':'<i>'}] | x,y
        [{'role':'system','content':[{'type':'text','text':'s'}]},{'role':'user','content':[{'type':'image','image':'y'}]}] | x | [{'role':'system','content':'s'},{'role':'user','content':'<i><i>'}] | x,y
        [{'from':'human','value':'a <i> b','role':null,'content':null}] | x | [{'role':'user','content':'a <i> b'}] | x
        [{'from':null,'value':null,'role':'user','content':'a <i> b'}] | x | [{'role':'user','content':'a <i> b'}] | x
        [{'role':'<i>','content':'a'},{'role':'tool','name':'<i>','content':'b'}] | NULL | [{'role':'<\u2060i>','content':'a'},{'name':'<\u2060i>','role':'tool','content':'b'}] |
        [{'role':'user','content':'a'},{'role':'assistant','content':'b','tool_calls':[{'arguments':{'c <i>':['<i><i>',1]}}]}] | x | [{'role':'user','content':'<i>a'},{'role':'assistant','content':'b','tool_calls':[{'arguments':{'c <\u2060i>':['<\u2060i><\u2060i>',1]}}]}] | x
        """)
    void messagesAndPaths(String turns, String image, String messages, String paths) throws Exception {
        Conversation conversation = new Conversation(json(turns), image);

        assertThat(JSON.readTree(conversation.messages("<i>"))).isEqualTo(JSON.readTree(json(messages)));
        assertThat(conversation.imagePaths()).isEqualTo(paths == null ? List.of() : Arrays.asList(paths.split(",")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "NULL", textBlock = """
        {}                                     | NULL | the turns are not a list
        [                                      | NULL | the turns are not JSON
        [] []                                  | NULL | the text of the turns goes on after its JSON
        ``                                     | NULL | the turns are not a list
        [1]                                    | NULL | turn 1 is not an object
        [{'role':'user','content':1}]          | NULL | turn 1 has content that is neither a text nor a list of parts
        [{'role':'user','content':{}}]         | NULL | turn 1 has content that is neither
        [{'content':'a'}]                      | NULL | turn 1 has no text 'from'
        [{'role':1,'content':'a'}]             | NULL | turn 1 has no text 'role'
        [{'role':'a','content':'a'},{'role':'user','content':[{'type':'video'}]}] | NULL | turn 2 has a part of type 'video'
        [{'role':'user','content':[{'type':'image'}]}] | NULL | turn 1 has no text 'image'
        [{'role':'user','content':[{'type':'image','image':7}]}] | NULL | turn 1 has no text 'image'
        [{'role':'user','content':['a']}]      | NULL | turn 1 has no text 'type'
        [{'role':'user','content':[{'type':'text'}]}] | NULL | turn 1 has no text 'text'
        [{'role':'user','content':'<i>'}]      | NULL | 1 times '<i>' for 0 images
        [{'role':'user','content':'<i> <i>'}]  | x    | 2 times '<i>' for 1 images
        [{'role':'assistant','content':'a'}]   | x    | 0 times '<i>' for 1 images
        []                                     | x    | 0 times '<i>' for 1 images
        [{'role':'user','content':'a'}]        | ../images/1.jpg | the conversation has the image '../images/1.jpg', which is outside of the folder
        [{'role':'user','content':'a'}]        | a/../../1.jpg | 'a/../../1.jpg', which is outside
        [{'role':'user','content':'a'}]        | /data/1.jpg | '/data/1.jpg', which is not a path in the folder
        [{'role':'user','content':[{'type':'image','image':'https://a/1.jpg'}]}] | NULL | turn 1 has the image 'https://a/1.jpg', which is not a path
        [{'role':'user','content':[{'type':'image','image':'./'}]}] | NULL | turn 1 has the image './', which names no file
        [{'role':'user','content':[{'type':'image','image':'y'}]},{'from':'human','value':'<i> a'}] | x | the image 'x' of the key comes after the image of a part
        [{'role':'system','content':[{'type':'image','image':'y'}]},{'role':'user','content':'a'}] | x | the image 'x' of the key comes after the image of a part
        [{'from':'human','value':'a','content':'b'}] | NULL | turn 1 has both 'content' and 'value'; keep one of them
        [{'role':'user','content':'a'},{'from':'gpt','role':'user','content':'b'}] | NULL | turn 2 has both 'role' and 'from'
        [{'from':'human','value':'a','value':'b'}] | NULL | the turns are not JSON: Duplicate field 'value'
        [{'role':'user','content':'a','x':{'b':1,'b':1}}] | NULL | the turns are not JSON: Duplicate field 'b'
        [{'role':'user','content':'\\ud800'}] | NULL | half of a surrogate pair
        [{'role':'user','content':'a','<i>':1,'<\u2060i>':2}] | NULL | an object has the key '<\u2060i>' with and without a word joiner
        [{'role':'user','content':[{'type':'text','text':'<i> a'}]}] | x | a text part has '<i>', and no part is the image 'x' of the key
        """)
    void whatIsNotAConversationIsRefused(String turns, String image, String message) {
        assertThatThrownBy(() -> new Conversation(json(turns), image).messages("<i>"))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining(message);
    }

    /** Of every length and form that JSON has. */
    @Test
    void numbersInOtherKeysKeepTheirText() throws ChatException {
        long seed = 20_261;
        Random random = new Random(seed);
        List<String> numbers =
                new ArrayList<>(List.of("-0", "0", "-0.0", "1.10", "0.1e1", "1e400", "1E-400", "9".repeat(60)));
        for (int i = 0; i < 500; i++) {
            String fraction = random.nextBoolean() ? "" : "." + digits(random, 1 + random.nextInt(30));
            String exponent =
                    random.nextInt(3) > 0 ? "" : List.of("e", "E+", "e-").get(random.nextInt(3)) + random.nextInt(500);
            numbers.add((random.nextBoolean() ? "-" : "")
                    + (1 + random.nextInt(9))
                    + digits(random, random.nextInt(25))
                    + fraction
                    + exponent);
        }
        String list = String.join(",", numbers);
        String turns = json("[{'calls':[" + list + "],'role':'user','content':'a'}]");

        assertThat(new Conversation(turns, null).messages("<i>"))
                .as("seed %d", seed)
                .isEqualTo(json("[{'calls':[" + list + "],'role':'user','content':'a'}]"));
    }

    private static String digits(Random random, int count) {
        return random.ints(count, 0, 10).mapToObj(Integer::toString).collect(Collectors.joining());
    }

    @Test
    void placeholder_withSpaces_isFoundWithoutThem() throws ChatException {
        String turns =
                json("[{'role':'user','content':'<i>a'},{'role':'user','content':[{'type':'image','image':'y'}]}]");

        assertThat(new Conversation(turns, "x").messages("<i>\n"))
                .isEqualTo(json("[{'role':'user','content':'<i>a'},{'role':'user','content':'<i>\\n'}]"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
