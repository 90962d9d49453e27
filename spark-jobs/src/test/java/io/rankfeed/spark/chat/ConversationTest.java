package io.rankfeed.spark.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both layouts of conversations about images, and what is neither. In the JSON of these tests ' stands for a quotation mark. */
class ConversationTest {
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
        """)
    void messagesAndPaths(String turns, String image, String messages, String paths) throws ChatException {
        Conversation conversation = new Conversation(json(turns), image);

        assertThat(conversation.messages("<i>")).isEqualTo(json(messages));
        assertThat(conversation.imagePaths()).isEqualTo(paths == null ? List.of() : Arrays.asList(paths.split(",")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "NULL", textBlock = """
        {}                                     | NULL | the turns are not a list
        [                                      | NULL | the turns are not JSON
        [] []                                  | NULL | the turns are not JSON
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
        """)
    void whatIsNotAConversationIsRefused(String turns, String image, String message) {
        assertThatThrownBy(() -> new Conversation(json(turns), image).messages("<i>"))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining(message);
    }

    @Test
    void spacesAroundThePlaceholderAreNotSearchedFor() throws ChatException {
        String turns =
                json("[{'role':'user','content':'<i>a'},{'role':'user','content':[{'type':'image','image':'y'}]}]");

        assertThat(new Conversation(turns, "x").messages("<i>\n"))
                .isEqualTo(json("[{'role':'user','content':'<i>a'},{'role':'user','content':'<i>\\n'}]"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
